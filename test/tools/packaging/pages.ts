import { dirname, join } from 'node:path/posix';

/** vsce gives these files other names in the VSIX. */
const namesInVsix: Readonly<Record<string, string>> = { 'README.md': 'readme.md', 'CHANGELOG.md': 'changelog.md' };

/** The section of README.md for readers who have the sources. */
const aboutSources = /^## Try it from source\n[\s\S]*?(?=^## )/m;

/** The lines around what `npm run docs` writes. */
const generatedMark = /^<!-- .* -->\n/gm;

const link = /(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g;
const picture = /^!\[[^\]]*\]\(([^)\s]+)\)\n+/gm;

/**
 * A page as the VSIX ships it: without pictures, links and instructions that need files outside of it, and without the marks of
 * generated parts. No picture is shipped: VS Code shows one on the page of an extension only from an https address, and its text in
 * its place otherwise.
 */
export function pageForVsix(page: string, text: string, shipped: ReadonlySet<string>): string {
  const targetOf = (address: string): string => join(dirname(page), address.split('#')[0] ?? '');
  const isMissing = (address: string): boolean => isRelative(address) && !shipped.has(targetOf(address));
  return text
    .replace(aboutSources, '')
    .replace(generatedMark, '')
    .replace(picture, (all, address: string) => (isMissing(address) ? '' : all))
    .replace(link, (all, words: string, address: string) => {
      if (isMissing(address)) return words;
      const name = namesInVsix[targetOf(address)];
      return isRelative(address) && name !== undefined ? `[${words}](${address.replace(/[^/#]+(?=#|$)/, name)})` : all;
    });
}

function isRelative(address: string): boolean {
  return !address.startsWith('#') && !/^[a-z]+:/.test(address);
}
