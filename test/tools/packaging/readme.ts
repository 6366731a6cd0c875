const picture = /^!\[[^\]]*\]\((?!https:)[^)]+\)\n+/gm;

const figures = /^## Performance\n[\s\S]*?(?=^## )/m;

/**
 * README.md as the VSIX has it: without the pictures, which are in the repository alone. Whoever shows a VSIX finds them
 * only under an https address, and a manifest that names no repository gives them none. The figures of the benchmarks, which
 * the repository alone can make, stay there too.
 */
export function readmeForVsix(readme: string): string {
  return readme.replace(picture, '').replace(figures, '');
}
