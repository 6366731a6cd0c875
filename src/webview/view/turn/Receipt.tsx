import type { ReceiptView } from '../../../protocol/turnView.ts';
import { usePanel } from '../../panel.ts';
import { Icon } from '../Icon.tsx';

const icons = { confirmed: 'pass', 'not-confirmed': 'question', contradicted: 'error' } as const;

/** The requested headers next to the service's receipt: one line, details on demand. */
export function Receipt({ receipt }: { readonly receipt: ReceiptView }) {
  const { strings } = usePanel();
  const { verdict, label, headers, text } = receipt;
  return (
    <details class={`receipt ${verdict}`} data-testid="receipt" data-verdict={verdict}>
      <summary>
        <Icon name={icons[verdict]} />
        <span>{label}</span>
      </summary>
      <div class="receipt-body">
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
        {text !== '' && <pre data-testid="receipt-text">{text}</pre>}
      </div>
    </details>
  );
}
