/** Names of formats of images that are no text; SVG is text. */
const formats = new Set('png jpg jpeg jfif gif webp bmp ico tif tiff avif heic heif jxl psd'.split(' '));

/** Whether a file is an image, by its name. */
export function isImageName(name: string): boolean {
  const [, extension = ''] = /\.([a-z0-9]+)$/i.exec(name) ?? [];
  return formats.has(extension.toLowerCase());
}
