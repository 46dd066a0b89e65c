/** Shows the overview: what waits, what fails, and in the sandbox what a developer does first. */
import { html } from 'ghtml'
import type { PaymentStatusValue } from '../../contract/shapes.ts'
import type { Context } from '../../gateway/context.ts'
import { isPermitted } from '../access/console-role.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { ConsoleRoute } from '../console-route.ts'
import type { Viewer } from '../layout/viewer.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { firstStepsSection } from './first-steps/first-steps.ts'
import { COUNTED_MAX, countOpenTasks, countPayments, countWaitingDeliveries } from './overview-store.ts'

/** The statuses that may need an action. */
const STATUSES = [
  'Unsigned',
  'CustomerActionRequired',
  'InProgress',
  'Rejected',
] as const satisfies readonly PaymentStatusValue[]

export function homeRoutes(context: Context): readonly ConsoleRoute[] {
  return [
    {
      method: 'GET',
      path: '/console',
      permission: 'session',
      handle: async ({ viewer }) => ({
        kind: 'page',
        title: consoleText('home.title'),
        body: (await Promise.all(sectionsOf(context, viewer))).join('\n'),
      }),
    },
  ]
}

/** The sections that the user's roles permit. */
function sectionsOf(context: Context, viewer: Viewer): readonly Promise<string>[] {
  const { roles, partnerId } = viewer.session
  const isDeveloper = isPermitted(roles, 'developer.read')
  return [
    ...(viewer.isSandbox && partnerId !== null && isDeveloper ? [firstStepsSection(context, partnerId)] : []),
    ...(isPermitted(roles, 'payments.read') ? [payments(context, viewer)] : []),
    ...(isDeveloper ? [deliveries(context, viewer)] : []),
    ...(isPermitted(roles, 'operations.read') ? [tasks(context)] : []),
    banks(context),
  ]
}

async function payments({ database }: Context, viewer: Viewer): Promise<string> {
  const partnerId = partnerFilterOf(viewer)
  const tiles = STATUSES.map(async (status) =>
    tile({
      figure: html`${counted(await countPayments(database, partnerId, status))}`,
      label: statusMarkup(status),
      path: `/console/payments?status=${status}`,
    }),
  )
  return html`<h2>${consoleText('home.payments')}</h2>
<ul class="tiles">!${(await Promise.all(tiles)).join('\n')}</ul>`
}

async function deliveries({ database }: Context, viewer: Viewer): Promise<string> {
  const { count, since } = await countWaitingDeliveries(database, partnerFilterOf(viewer))
  const waiting = tile({
    figure: html`${counted(count)}`,
    label: html`${consoleText('home.deliveriesWaiting')}!${since === null ? '' : html`<br>${consoleText('home.since')} !${timeMarkup(since)}`}`,
    path: '/console/webhooks',
  })
  return html`<h2>${consoleText('home.deliveries')}</h2>
<ul class="tiles">!${waiting}</ul>`
}

async function tasks({ database }: Context): Promise<string> {
  const { count, since } = await countOpenTasks(database)
  const label = html`${consoleText('home.tasksOpen')}!${since === null ? '' : html`<br>${consoleText('home.since')} !${timeMarkup(since)}`}`
  return html`<h2>${consoleText('home.tasks')}</h2>
<ul class="tiles">!${tile({ figure: html`${count}`, label, path: '/console/tasks' })}</ul>`
}

/** The banks that do not answer, or a sentence that all do. */
async function banks(context: Context): Promise<string> {
  const all = await context.banks.all()
  const states = await Promise.all(all.map(async (bank) => ({ bank, status: await context.banks.statusOf(bank) })))
  const failing = states.filter(({ status }) => status !== 'Operational')
  const items = failing.map(({ bank, status }) => html`<li>${bank.name} (${bank.bic}) !${statusMarkup(status)}</li>`)
  return html`<h2>${consoleText('home.banks')}</h2>
!${failing.length === 0 ? html`<p>${consoleText('home.banksOperational', { count: all.length })}</p>` : html`<ul>!${items.join('\n')}</ul>`}`
}

/** Figure and label are markup. */
type Tile = { readonly figure: string; readonly label: string; readonly path: string }

function tile({ figure, label, path }: Tile): string {
  return html`<li class="tile"><a href="${path}"><strong>!${figure}</strong><span>!${label}</span></a></li>`
}

/** Counting stops at `COUNTED_MAX`. */
function counted(count: number): string {
  return count < COUNTED_MAX ? String(count) : consoleText('home.orMore')
}
