/**
 * Draws the state machine, one state below the other in the order of its definition. An arrow to the next
 * state is straight. Other arrows down pass on the right, and arrows up on the left. All arrows to one state
 * share a vertical line, so that the picture is narrow enough for a phone.
 */
import { html } from 'hono/html';
import {
  type ExecutionWay,
  moveId,
  type Stay,
  stateMoves,
} from '../../functions/domain/purchase/execution-way.ts';
import { spanWords } from '../words.ts';
import type { MachineDrawn, MachineMove, StateDrawn } from './machine.ts';

type Html = ReturnType<typeof html>;

const ROW = 54;
const BOX = { width: 196, height: 38 };
const LANE = 10;
const MARGIN = 12;
const CORNER = 5;
/**
 * The distance in pixels from a box's middle to the ends of its lines. A line leaves a box below the middle
 * and enters a box above the middle, so that the ends do not meet.
 */
const APART = 7;

export function graphOf(machine: MachineDrawn, way: ExecutionWay | undefined, now: number): Html {
  const drawn = drawingOf(machine);
  const taken = way ? stateMoves(way) : new Map<string, number>();
  const isTaken = ({ from, to }: MachineMove) => taken.has(moveId(from, to));
  // Taken moves come last, because a later line covers an earlier one.
  const lines = machine.moves.toSorted((one, other) => Number(isTaken(one)) - Number(isTaken(other)));
  return html`<svg class="graph" viewBox="0 0 ${drawn.width} ${drawn.height}" role="img"
width="${drawn.width}" height="${drawn.height}" aria-labelledby="graph-title">
<title id="graph-title">The states, with the way of this purchase. The table tells the same.</title>
<defs>${arrowHead('possible')}${arrowHead('taken')}</defs>
${lines.map((move) => lineOf(move, isTaken(move), drawn))}
${machine.states.map((state) => boxOf(state, { drawn, way, now }))}
</svg>`;
}

const arrowHead = (
  kind: string,
) => html`<marker id="${kind}" class="${kind}" viewBox="0 0 8 8" refX="7" refY="4"
markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto">
<path d="M0 0L8 4L0 8z"/></marker>`;

type Drawing = {
  rows: Map<string, number>;
  lanes: Map<string, number>;
  left: number;
  width: number;
  height: number;
};
type Side = 'left' | 'right' | 'straight';

function drawingOf({ states, moves }: MachineDrawn): Drawing {
  const rows = new Map(states.map(({ name }, index) => [name, index]));
  const left = lanesOf('left', moves, rows);
  const right = lanesOf('right', moves, rows);
  const inset = MARGIN + laneCount(left) * LANE;
  return {
    rows,
    lanes: new Map([...left, ...right]),
    left: inset,
    width: inset + BOX.width + laneCount(right) * LANE + MARGIN,
    height: (states.length - 1) * ROW + BOX.height + 2 * MARGIN,
  };
}

const laneCount = (lanes: Map<string, number>) => Math.max(0, ...[...lanes.values()].map((lane) => lane + 1));

function moveSide({ from, to }: MachineMove, rows: Map<string, number>): Side {
  const distance = (rows.get(to) ?? 0) - (rows.get(from) ?? 0);
  return distance === 1 ? 'straight' : distance > 1 ? 'right' : 'left';
}

const laneId = (side: Side, to: string) => `${side} ${to}`;

/**
 * Chooses the vertical line (lane) of each target state on this side. A target state gets the innermost lane
 * that no other line uses along its own moves. The shortest moves choose first.
 */
function lanesOf(side: Side, moves: readonly MachineMove[], rows: Map<string, number>): Map<string, number> {
  const targets = Map.groupBy(
    moves.filter((move) => moveSide(move, rows) === side),
    ({ to }) => to,
  );
  const spans = [...targets].map(([to, own]) => {
    const ends = [to, ...own.map(({ from }) => from)].map((name) => rows.get(name) ?? 0);
    return { to, first: Math.min(...ends), last: Math.max(...ends) };
  });
  const used: { first: number; last: number }[][] = [];
  const lanes = new Map<string, number>();
  for (const span of spans.sort((one, other) => one.last - one.first - (other.last - other.first))) {
    const isFree = (lane: (typeof used)[number]) =>
      lane.every(({ first, last }) => span.last < first || last < span.first);
    const free = used.findIndex(isFree);
    const lane = free < 0 ? used.length : free;
    used[lane] = [...(used[lane] ?? []), span];
    lanes.set(laneId(side, span.to), lane);
  }
  return lanes;
}

const middleOf = (name: string, { rows }: Drawing) => MARGIN + (rows.get(name) ?? 0) * ROW + BOX.height / 2;

function lineOf(move: MachineMove, isTaken: boolean, drawn: Drawing): Html {
  const kinds = ['move', isTaken ? 'taken' : 'possible', ...(move.isCatch ? ['catch'] : [])];
  const head = isTaken ? 'url(#taken)' : 'url(#possible)';
  return html`<path class="${kinds.join(' ')}" d="${movePath(move, drawn)}" marker-end="${head}"/>`;
}

function movePath(move: MachineMove, drawn: Drawing): string {
  const side = moveSide(move, drawn.rows);
  const [from, to] = [middleOf(move.from, drawn), middleOf(move.to, drawn)];
  if (side === 'straight') {
    // The line of an error (`Catch`) to the next state is beside the middle, because the line of the success
    // is in the middle.
    const x = drawn.left + BOX.width / 2 + (move.isCatch ? 3 * LANE : 0);
    return `M${x} ${from + BOX.height / 2}V${to - BOX.height / 2}`;
  }
  const out = side === 'right' ? 1 : -1;
  const edge = side === 'right' ? drawn.left + BOX.width : drawn.left;
  const lane = edge + out * ((drawn.lanes.get(laneId(side, move.to)) ?? 0) + 1) * LANE;
  const [start, end] = [from + APART, to - APART];
  const down = end > start ? 1 : -1;
  const turn = lane - out * CORNER;
  return [
    `M${edge} ${start}H${turn}Q${lane} ${start} ${lane} ${start + down * CORNER}`,
    `V${end - down * CORNER}Q${lane} ${end} ${turn} ${end}H${edge}`,
  ].join('');
}

type GraphSeen = { drawn: Drawing; way: ExecutionWay | undefined; now: number };

function boxOf({ name, type, about, isEnd }: StateDrawn, { drawn, way, now }: GraphSeen): Html {
  const stays = way?.stays.filter(({ state }) => state === name) ?? [];
  const y = middleOf(name, drawn) - BOX.height / 2;
  const x = drawn.left + BOX.width / 2;
  const round = type === 'Choice' || isEnd ? BOX.height / 2 : 6;
  const note = noteOf(stays, now);
  return html`<g class="${['state', ...kindsOf(stays, way)].join(' ')}"><title>${about}</title>
<rect x="${drawn.left}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="${round}"/>
<text class="name" x="${x}" y="${y + (note ? 16 : 24)}">${name}</text>
${note && html`<text x="${x}" y="${y + 31}">${note}</text>`}</g>`;
}

function kindsOf(stays: Stay[], way: ExecutionWay | undefined): string[] {
  if (stays.length === 0) return ['unvisited'];
  const isLast = way?.stays.at(-1) === stays.at(-1);
  return [
    'visited',
    ...(isLast ? ['last'] : []),
    ...(stays.some(({ errors }) => errors.size > 0) ? ['troubled'] : []),
  ];
}

function noteOf(stays: Stay[], now: number): string {
  if (stays.length === 0) return '';
  const tries = stays.reduce((sum, stay) => sum + stay.tries, 0);
  const spent = stays.reduce((sum, { enteredAt, leftAt = now }) => sum + leftAt - enteredAt, 0);
  const often = stays.length > 1 ? [`${stays.length} times`] : [];
  const again = tries > stays.length ? [`${tries} tries`] : [];
  return [...often, ...again, spanWords(spent)].join(' · ');
}
