interface FactsProps {
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

/** A list of names with their values, one per line. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl class="facts">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
