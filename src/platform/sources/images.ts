/** The file extensions of images that are not text; SVG is text. */
const imageExtensions = new Set('png jpg jpeg jfif gif webp bmp ico tif tiff avif heic heif jxl psd'.split(' '));

/** Whether a file is an image, by its name. */
export function isImageName(name: string): boolean {
  const [, extension = ''] = /\.([a-z0-9]+)$/i.exec(name) ?? [];
  return imageExtensions.has(extension.toLowerCase());
}
