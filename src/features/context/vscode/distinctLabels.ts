interface LabeledFile {
  readonly path: string;
  readonly label: string;
}

/** Makes labels unique: files with the same label get the names of the folders above them. */
export function distinctLabels(files: readonly LabeledFile[]): readonly string[] {
  const counts = Map.groupBy(files, ({ label }) => label);
  const longer = files.map((file) => ({
    path: file.path,
    label: counts.get(file.label)?.length === 1 ? file.label : withFolderAbove(file),
  }));
  const isLonger = longer.some(({ label }, index) => label !== files[index]?.label);
  return isLonger ? distinctLabels(longer) : files.map(({ label }) => label);
}

/** The end of a path, with one more name than the label has. */
function withFolderAbove({ path, label }: LabeledFile): string {
  const names = path.split('/').filter((name) => name !== '');
  return names.slice(-label.split('/').length - 1).join('/');
}
