interface FactsProps {
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

/** Names with their values, a line each. */
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
