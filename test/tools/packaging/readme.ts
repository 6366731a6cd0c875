const picture = /^!\[[^\]]*\]\((?!https:)[^)]+\)\n+/gm;

const figures = /^## Performance\n[\s\S]*?(?=^## )/m;

/**
 * README.md for the VSIX, without the pictures and the figures of the benchmarks, which are only in the repository.
 * Viewers of a VSIX load pictures only from an https address, and a manifest without a repository gives them none.
 */
export function readmeForVsix(readme: string): string {
  return readme.replace(picture, '').replace(figures, '');
}
