import type { NamedText } from '../../protocol/starter.ts';

/** A message with `{0}`…, in which each name is isolated (`<bdi>`), so that it cannot reorder the text around it. */
export function Named({ text, names }: NamedText) {
  return (
    <span>
      {text.split(/(\{\d\})/).map((part, index) => {
        const place = /^\{(\d)\}$/.exec(part)?.[1];
        return place === undefined ? part : <bdi key={index}>{names[Number(place)]}</bdi>;
      })}
    </span>
  );
}
