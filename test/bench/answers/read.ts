import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Answer, Place, Project } from './corpus.ts';

const folder = new URL('../../fixtures/answers/', import.meta.url);

export function readProjects(): readonly Project[] {
  return read('projects.json') as readonly Project[];
}

export function readPlaces(): readonly Place[] {
  return read('places.json') as readonly Place[];
}

/** The answers of a set: `first` is the set that the code was developed with, `later` a held-out set that was written afterwards. */
export function readAnswers(set: 'first' | 'later'): readonly Answer[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${set}-`) && name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line));
}

export function ownFolder(project: string): string {
  return fileURLToPath(new URL(`own/${project}/`, folder));
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}
