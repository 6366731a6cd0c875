import { type AuditOutcome, auditOutcomes } from '../../../protocol/audit/auditValues.ts';

const lines: Readonly<Record<AuditOutcome, string>> = {
  complete: '',
  stopped: 'M0 4H8',
  interrupted: 'M-2 2L2 -2M0 8L8 0M6 10L10 6',
  unknown: 'M3 4H5M7 0H9M-1 0H1M7 8H9M-1 8H1',
  failed: 'M0 0L8 8M0 8L8 0',
};

/** Patterns for outcomes, for users who cannot distinguish the colors: high contrast themes show them. */
export function Textures() {
  return (
    <svg class="textures" aria-hidden="true">
      <defs>
        {auditOutcomes.map((name) => (
          <pattern key={name} id={textureId(name)} width="8" height="8" patternUnits="userSpaceOnUse">
            <rect class={`ground ${name}`} width="8" height="8" />
            <path class={`lines ${name}`} d={lines[name]} />
          </pattern>
        ))}
      </defs>
    </svg>
  );
}

/** The id of the pattern of an outcome. */
export function textureId(name: AuditOutcome): string {
  return `texture-${name}`;
}
