/** Shows on the overview which banks fail, and to operators how many calls banks answer, and how quickly. */
import { html } from 'ghtml'
import { type BankCallFigures, readRecentBankCallFigures } from '../../gateway/banks/calls/list-bank-calls.ts'
import type { Context } from '../../gateway/context.ts'
import { BANKS_PATH } from '../banks/bank-page.ts'
import { formatPercentage } from '../markup/format-money.ts'
import { formatMilliseconds } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { type Tile, tileList } from './tiles.ts'

/** The banks that do not answer, or a sentence that all do. */
export async function banksSection(context: Context, isOperator: boolean): Promise<string> {
  const all = await context.banks.all()
  const states = await Promise.all(all.map(async (bank) => ({ bank, status: await context.banks.statusOf(bank) })))
  const failing = states.filter(({ status }) => status !== 'Operational')
  const items = failing.map(({ bank: { name, bic }, status }) => {
    const label = html`${name} (${bic})`
    return html`<li>!${isOperator ? html`<a href="${BANKS_PATH}/${bic}">!${label}</a>` : label} !${statusMarkup(status)}</li>`
  })
  const operational = consoleText('home.banksOperational', { count: all.length })
  return html`<h2>${consoleText('home.banks')}</h2>
!${failing.length > 0 ? html`<ul>!${items.join('\n')}</ul>` : html`<p>!${isOperator ? html`<a href="${BANKS_PATH}">${operational}</a>` : html`${operational}`}</p>`}
!${isOperator ? tileList(await callTiles(context, new Map(all.map(({ bic, name }) => [bic, name])))) : ''}`
}

/** Of the current hour and the one before it; none without calls. */
async function callTiles(context: Context, names: ReadonlyMap<string, string>): Promise<readonly Tile[]> {
  const { all, byBank } = await readRecentBankCallFigures(context)
  const [slowest] = [...byBank].toSorted(([, one], [, other]) => p95Of(other) - p95Of(one))
  if (all.calls === 0 || slowest === undefined) {
    return []
  }
  const [bic, figures] = slowest
  const duration = (of: BankCallFigures) => (of.p95Milliseconds === null ? '–' : formatMilliseconds(of.p95Milliseconds))
  return [
    {
      figure: html`${formatPercentage(all.answered, all.calls)}`,
      label: html`${consoleText('home.callsAnswered', { count: all.calls })}`,
      path: BANKS_PATH,
    },
    { figure: html`${duration(all)}`, label: html`${consoleText('home.callsWithin')}`, path: BANKS_PATH },
    {
      figure: html`${duration(figures)}`,
      label: html`${consoleText('home.slowestBank', { bank: names.get(bic) ?? bic })}`,
      path: `${BANKS_PATH}/${bic}`,
    },
  ]
}

/** A bank that answered none of its calls is the slowest. */
const p95Of = ({ p95Milliseconds }: BankCallFigures): number => p95Milliseconds ?? Number.MAX_VALUE
