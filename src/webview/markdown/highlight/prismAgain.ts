// The grammars read this while they load, so it must be a module before them.
import { prism } from './prism.ts';

Object.assign(globalThis, { Prism: prism });
