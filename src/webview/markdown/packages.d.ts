// The package has no types.
declare module 'markdown-it-footnote' {
  // biome-ignore lint/style/noDefaultExport: this is what the package exports.
  export default function footnotes(parser: import('markdown-it').MarkdownIt): void;
}
// @types/prismjs describes the whole of Prism; its core has the same shape, without languages.
declare module 'prismjs/components/prism-core.js' {
  const Prism: typeof import('prismjs');
  // biome-ignore lint/style/noDefaultExport: the import of a CommonJS module is its default export.
  export default Prism;
}
