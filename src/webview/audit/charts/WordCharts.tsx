import { auditOutcomes } from '../../../protocol/audit/auditValues.ts';
import { useAudit } from '../state.ts';
import type { Ranking } from '../summary.ts';
import { Bars, type WordBar } from './Bars.tsx';
import { Figure } from './Figure.tsx';

export function OutcomeChart() {
  const { state, strings } = useAudit();
  const { byOutcome } = state.summary.value;
  const bars = auditOutcomes
    .map((outcome, index) => ({ label: strings.outcomes[outcome], count: byOutcome[index] ?? 0, outcome }))
    .filter(({ count }) => count > 0);
  return <WordFigure title={strings.byOutcome} name={strings.outcome} bars={bars} />;
}

interface RankingProps {
  readonly title: string;
  readonly name: string;
  readonly ranking: Ranking;
  /** The label of an empty value. */
  readonly empty?: string;
  /** The labels of values that are names. */
  readonly words?: Readonly<Record<string, string>>;
}

export function RankingChart({ title, name, ranking, empty = '', words = {} }: RankingProps) {
  const { strings } = useAudit();
  const bars = ranking.counts.map(({ word, count }) => ({
    label: word === '' ? empty : (words[word] ?? word),
    count,
  }));
  const others = ranking.others === 0 ? [] : [{ label: strings.others, count: ranking.others }];
  return <WordFigure title={title} name={name} bars={[...bars, ...others]} />;
}

interface WordFigureProps {
  readonly title: string;
  readonly name: string;
  readonly bars: readonly WordBar[];
}

function WordFigure({ title, name, bars }: WordFigureProps) {
  const { state, strings, formats } = useAudit();
  const { requests } = state.summary.value;
  return (
    <Figure
      title={title}
      columns={[{ label: name }, { label: strings.requests, isNumber: true }, { label: strings.share, isNumber: true }]}
      lines={bars.map(({ label, count }) => [label, formats.number(count), formats.percent(count, requests)])}
    >
      <Bars title={title} bars={bars} whole={requests} />
    </Figure>
  );
}
