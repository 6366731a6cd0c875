import { createHash } from 'node:crypto';
import type { BundledPackage } from './contents.ts';

export interface SbomSubject {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

/** The hash of a published package in package-lock.json (`sha512-…`), or undefined if it has none. */
export type IntegrityOf = (name: string) => string | undefined;

/**
 * sbom.cdx.json: CycloneDX 1.6, without a time and with a serial number derived from the contents, so that the same
 * contents give the same file.
 */
export function sbom(subject: SbomSubject, packages: readonly BundledPackage[], integrityOf: IntegrityOf): string {
  const subjectRef = purl(subject.name, subject.version);
  const components = packages.map((one) => component(one, one.carriedBy === null ? integrityOf(one.name) : undefined));
  const serial = createHash('sha256')
    .update(JSON.stringify([subject, components]))
    .digest();
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid(serial)}`,
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': subjectRef,
        name: subject.name,
        version: subject.version,
        description: subject.description,
        licenses: [{ license: { id: subject.license } }],
        purl: subjectRef,
      },
    },
    components,
    dependencies: [
      { ref: subjectRef, dependsOn: packages.filter(({ carriedBy }) => carriedBy === null).map(refOf) },
      ...packages.map((one) => ({
        ref: refOf(one),
        dependsOn: packages.filter(({ carriedBy }) => carriedBy === one.name).map(refOf),
      })),
    ],
  };
  return `${JSON.stringify(bom)}\n`;
}

function component(one: BundledPackage, integrity: string | undefined): object {
  const { name, version, license, files } = one;
  const [, group, own] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const [algorithm, digest] = integrity?.split('-', 2) ?? [];
  return {
    type: 'library',
    'bom-ref': refOf(one),
    ...(group === undefined ? { name } : { group, name: own }),
    ...(version === null ? {} : { version }),
    ...(algorithm === 'sha512' && digest !== undefined
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
    licenses: [{ license: { id: license } }],
    purl: refOf(one),
    evidence: { occurrences: files.map((location) => ({ location })) },
  };
}

function refOf({ name, version }: BundledPackage): string {
  return purl(name, version);
}

function purl(name: string, version: string | null): string {
  return `pkg:npm/${name.replace('@', '%40')}${version === null ? '' : `@${version}`}`;
}

/** Formats a version 8 UUID, whose bits can be chosen freely. */
function uuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}
