import type { BundledPackage } from './contents.ts';

const rule = '-'.repeat(80);

/** THIRD-PARTY-NOTICES.txt: every package with its licence, each text once. */
export function thirdPartyNotices(packages: readonly BundledPackage[]): string {
  const byText = Map.groupBy(packages, ({ licenseText }) => licenseText);
  const parts = [...byText].map(([text, sharing]) => {
    const names = sharing.map(({ name, version, license, carriedBy }) => {
      const which = version === null ? name : `${name} ${version}`;
      return `${which} (${license}${carriedBy === null ? '' : `, in ${carriedBy}`})`;
    });
    return `${names.join('\n')}\n\n${text.trim()}\n`;
  });
  const head = 'Svc Coder contains software of others, under these licences.\n';
  return [head, ...parts].join(`\n${rule}\n\n`);
}
