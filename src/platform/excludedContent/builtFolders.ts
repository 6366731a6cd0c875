/**
 * Folders with files that a tool has built or installed. Ignored files in these folders are examined only by name, because
 * there are tens of thousands of them. `docs/privacy.md` lists the folders.
 */
export const builtFolders: readonly string[] = [
  ...['node_modules', 'bower_components', 'jspm_packages', '.yarn', '.pnpm-store', 'vendor', 'Pods', 'Carthage'],
  ...['.venv', 'venv', 'site-packages', '__pycache__', '.tox', '.nox', '.mypy_cache', '.pytest_cache', '.ruff_cache'],
  ...['dist', 'build', 'out', 'target', 'obj', 'DerivedData', '.build', '.dart_tool', '_build'],
  ...['.gradle', '.bundle', '.terraform', '.next', '.nuxt', '.svelte-kit', '.angular', '.turbo'],
  ...['.parcel-cache', '.cache', '.vscode-test', '.nyc_output', 'coverage'],
];

const built = new Set(builtFolders);

export function isBuiltFolder(name: string): boolean {
  return built.has(name);
}

/** Whether a file is in a folder of built or installed files, by its path below a root. */
export function isInBuiltFolder(path: string): boolean {
  return path.split('/').slice(0, -1).some(isBuiltFolder);
}
