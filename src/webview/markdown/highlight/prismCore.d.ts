// @types/prismjs describes the whole of Prism; its core has the same shape, without languages.
declare module 'prismjs/components/prism-core.js' {
  const Prism: typeof import('prismjs');
  // biome-ignore lint/style/noDefaultExport: the import of a CommonJS module is its default export.
  export default Prism;
}
