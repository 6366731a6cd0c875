/**
 * Languages whose documents name a schema, or have one because of their file name, that VS Code or an extension fetches
 * as soon as such a document is shown. Each maps to a language of this extension with the same colors, which nothing
 * validates.
 */
const schemaLanguages: readonly (readonly [RegExp, string])[] = [
  [/json|^snippets$/i, 'svc-json'],
  [/ya?ml|compose|workflow|pipelines|^(helm|ansible|home-assistant|kubernetes|manifest)$/i, 'svc-yaml'],
  [/xml|^(xsl|xslt|xsd|dtd|svg|wsdl|relax-?ng)$/i, 'svc-xml'],
  [/^toml$/i, 'plaintext'],
];

/**
 * The language that shows a proposal for this language; `asJson` are the languages that VS Code validates as JSON
 * because of extensions.
 */
export function shownLanguage(languageId: string, asJson: ReadonlySet<string>): string {
  if (asJson.has(languageId)) return 'svc-json';
  return schemaLanguages.find(([pattern]) => pattern.test(languageId))?.[1] ?? languageId;
}
