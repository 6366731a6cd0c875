// The package has no types.
declare module 'markdown-it-footnote' {
  // biome-ignore lint/style/noDefaultExport: this is what the package exports.
  export default function footnotes(parser: import('markdown-it').MarkdownIt): void;
}
