/**
 * Documents of these languages name a schema, or have one by their name, which VS Code or an extension fetches as soon as one
 * is shown. Beside each, a language of our own that is coloured as they are and that nobody validates.
 */
const schemaLanguages: readonly (readonly [RegExp, string])[] = [
  [/json|^snippets$/i, 'svc-json'],
  [/ya?ml|compose|workflow|pipelines|^(helm|ansible|home-assistant|kubernetes|manifest)$/i, 'svc-yaml'],
  [/xml|^(xsl|xslt|xsd|dtd|svg|wsdl|relax-?ng)$/i, 'svc-xml'],
  [/^toml$/i, 'plaintext'],
];

/** The language that a proposal for this language is shown in; `asJson` are those that extensions have validated as JSON. */
export function shownLanguage(languageId: string, asJson: ReadonlySet<string>): string {
  if (asJson.has(languageId)) return 'svc-json';
  return schemaLanguages.find(([pattern]) => pattern.test(languageId))?.[1] ?? languageId;
}
