// Read by the grammars while they load, so this has to be a module before them.
import { prism } from './prism.ts';

Object.assign(globalThis, { Prism: prism });
