/** A whole value that stands for another one: `$NAME`, `${…}`, `$(…)`, `%NAME%`, `{{…}}`, `<…>`. */
const variable = /^(?:\$[A-Za-z_]\w*|\$env:\w+|\$\{.*\}?|\$\(.*\)?|%[A-Za-z_]\w*%|\{\{.*|<.*>)$/i;

export function isVariable(value: string): boolean {
  return variable.test(value);
}
