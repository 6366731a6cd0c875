import type { Verdict } from '../../../protocol/posture.ts';
import type { ReceiptView } from '../../../protocol/turnView.ts';
import { usePanel } from '../../panel.ts';
import { Facts } from '../Facts.tsx';
import { Icon } from '../Icon.tsx';

const icons: Readonly<Record<Verdict, string>> = {
  confirmed: 'pass',
  'not-confirmed': 'question',
  contradicted: 'error',
};

interface ReceiptProps {
  readonly receipt: ReceiptView;
  readonly turnId: string;
  /** Whether the receipt belongs to the summary of this turn. */
  readonly isSummary?: boolean;
}

/** Shows the verdict in the line below an answer and, on demand, the requested headers next to the service's receipt. */
export function Receipt({ receipt, turnId, isSummary = false }: ReceiptProps) {
  const { channel, strings } = usePanel();
  const { verdict, label, facts, headers, contradictions, isOpen = false, text } = receipt;
  const onToggle = ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }): void => {
    if (isOpen && !currentTarget.open) channel.tell('closeReceipt', { turnId, isSummary });
  };
  return (
    <details
      class={`receipt ${verdict ?? ''}`}
      data-testid="receipt"
      data-verdict={verdict}
      open={isOpen}
      onToggle={onToggle}
    >
      <summary>
        <Icon name={verdict === undefined ? 'info' : icons[verdict]} />
        <span>{label}</span>
      </summary>
      <div class="receipt-body">
        {contradictions.map((sentence) => (
          <p key={sentence} class="contradiction">
            {sentence}
          </p>
        ))}
        {headers.length > 0 && <Headers headers={headers} />}
        <Facts facts={facts} />
        {text !== '' && (
          <figure data-testid="receipt-text">
            <figcaption>{strings.reportText}</figcaption>
            <pre>{text}</pre>
          </figure>
        )}
      </div>
    </details>
  );
}

function Headers({ headers }: Pick<ReceiptView, 'headers'>) {
  const { strings } = usePanel();
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{strings.header}</th>
          <th scope="col">{strings.requested}</th>
          <th scope="col">{strings.said}</th>
        </tr>
      </thead>
      <tbody>
        {headers.map((header) => (
          <tr key={header.name} class={header.verdict}>
            <th scope="row">{header.name}</th>
            <td>{header.requested}</td>
            <td>
              <Icon name={icons[header.verdict]} /> {header.said}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
