import type { BundledPackage } from './contents.ts';

const rule = '-'.repeat(80);

/** The text of the license, which itself allows to name its address in place of its text (section 3(a)(1)(C)). */
const creativeCommons =
  /^\uFEFF?Attribution 4\.0 International\n.*?\nCreative Commons may be contacted at creativecommons\.org\.\n/s;

const attribution = `Copyright (c) Microsoft Corporation. The icon font has only the icons that Svc Coder shows; nothing else was changed.
Licensed under Creative Commons Attribution 4.0 International, which disclaims all warranties:
https://creativecommons.org/licenses/by/4.0/legalcode
`;

/** THIRD-PARTY-NOTICES.txt: every package with its license, each text once. */
export function thirdPartyNotices(packages: readonly BundledPackage[]): string {
  const byText = Map.groupBy(packages, ({ licenseText }) => licenseText);
  const parts = [...byText].map(([text, sharing]) => {
    const names = sharing.map(({ name, version, license, carriedBy }) => {
      const which = version === null ? name : `${name} ${version}`;
      return `${which} (${license}${carriedBy === null ? '' : `, in ${carriedBy}`})`;
    });
    return `${names.join('\n')}\n\n${noticeOf(text)}\n`;
  });
  const head = 'Svc Coder contains software of others, under these licenses.\n';
  return [head, ...parts].join(`\n${rule}\n\n`);
}

/** Returns a license as it is shipped. */
export function noticeOf(licenseText: string): string {
  return licenseText.replace(creativeCommons, attribution).trim();
}
