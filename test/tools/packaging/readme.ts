const picture = /^!\[[^\]]*\]\((?!https:)[^)]+\)\n+/gm;

/**
 * README.md as the VSIX has it: without the pictures, which are in the repository alone. Whoever shows a VSIX finds them
 * only under an https address, and a manifest that names no repository gives them none.
 */
export function readmeForVsix(readme: string): string {
  return readme.replace(picture, '');
}
