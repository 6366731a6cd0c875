import { useAudit } from '../state.ts';
import { RequestsChart, TokensChart } from './ColumnCharts.tsx';
import { OutcomeChart, RankingChart } from './WordCharts.tsx';

/** The six charts of the period. */
export function Charts() {
  const { state, strings } = useAudit();
  const { byModel, byAction, byPosture } = state.summary.value;
  return (
    <div class="charts">
      <RequestsChart />
      <TokensChart />
      <OutcomeChart />
      <RankingChart title={strings.byModel} name={strings.model} ranking={byModel} />
      <RankingChart title={strings.byAction} name={strings.action} ranking={byAction} words={strings.actions} />
      <RankingChart title={strings.byPosture} name={strings.posture} ranking={byPosture} empty={strings.noPosture} />
    </div>
  );
}
