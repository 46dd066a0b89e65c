/** Shows operators the processes that run, what is due, and the queues of webhook deliveries. */
import { html } from 'ghtml'
import { formatAge } from '../../gateway/platform/clock.ts'
import { listRunningProcesses, type RunningProcess } from '../../gateway/platform/jobs/running-process.ts'
import { listSweepStates, type SweepState } from '../../gateway/platform/jobs/sweep.ts'
import {
  COUNTED_DELIVERIES_MAX,
  type DeliveryQueueState,
  listDeliveryQueues,
} from '../../gateway/webhooks/deliveries/list-delivery-queues.ts'
import type { ConsoleContext } from '../console-context.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { type Columns, dataTable, numberColumn } from '../markup/data-table.ts'
import { formatCount } from '../markup/format-money.ts'
import { timeMarkup, wallTimeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { PARTNERS_PATH } from '../partners/partners-path.ts'
import { consoleText } from '../texts/console-texts.ts'

export async function workersPage(context: ConsoleContext): Promise<ConsolePage> {
  const [processes, sweeps, queues] = await Promise.all([
    listRunningProcesses(context),
    listSweepStates(context, context.sweeps()),
    listDeliveryQueues(context),
  ])
  // Without a worker nothing that is due happens.
  const hasWorker = processes.some(({ role, isAlive }) => role === 'worker' && isAlive)
  const body = html`!${hasWorker ? '' : html`<div class="notice" role="alert"><p>${consoleText('workers.noWorker')}</p></div>`}
<h2>${consoleText('workers.processes')}</h2>
!${dataTable(processes, PROCESS_COLUMNS, consoleText('workers.noProcesses'))}
<h2>${consoleText('workers.sweeps')}</h2>
<p>${consoleText('workers.sweepsExplain')}</p>
!${sweepsOf(sweeps)}
<h2>${consoleText('workers.queues')}</h2>
<p>${consoleText('workers.queuesExplain')}</p>
!${queuesOf(queues, context.clock.now())}`
  return { kind: 'page', title: consoleText('workers.title'), body }
}

const PROCESS_COLUMNS: Columns<RunningProcess> = {
  'workers.role': ({ role }) => html`${role}`,
  'workers.state': ({ isAlive }) => statusMarkup(consoleText(isAlive ? 'workers.running' : 'workers.notSeen')),
  'workers.release': ({ release }) => html`${release ?? ''}`,
  'workers.host': ({ host }) => breakableText(host),
  'workers.pid': ({ pid }) => html`${pid}`,
  'workers.started': ({ startedAt }) => wallTimeMarkup(startedAt),
  'workers.seen': ({ seenAt }) => wallTimeMarkup(seenAt),
}

/** What has waited longest first, then what is due next. */
function sweepsOf(sweeps: readonly SweepState[]): string {
  return dataTable(
    sweeps.filter(({ nextDue }) => nextDue !== null).toSorted(byDueTime),
    {
      'workers.sweep': ({ name }) => html`${name}`,
      'workers.due': ({ time, dueSince }) =>
        dueSince === null ? '' : html`<strong>${consoleText('workers.since')}</strong> !${markupOf(time, dueSince)}`,
      'workers.next': ({ time, dueSince, nextDue }) =>
        nextDue === null || dueSince !== null ? '' : markupOf(time, nextDue),
    },
    consoleText('workers.nothingDue'),
  )
}

/** The column has both kinds: wall time says so in the row. */
function markupOf(time: SweepState['time'], at: Temporal.Instant): string {
  return time === 'business' ? timeMarkup(at) : html`!${wallTimeMarkup(at)} ${consoleText('workers.wallTime')}`
}

function byDueTime(one: SweepState, other: SweepState): number {
  if (one.nextDue === null || other.nextDue === null) {
    return Number(one.nextDue === null) - Number(other.nextDue === null)
  }
  return Temporal.Instant.compare(one.nextDue, other.nextDue)
}

function queuesOf(queues: readonly DeliveryQueueState[], now: Temporal.Instant): string {
  return dataTable(
    queues,
    {
      'workers.partner': ({ partnerId, partnerName }) =>
        html`<a href="${PARTNERS_PATH}/${partnerId}">${partnerName}</a>`,
      'workers.origin': ({ origin }) => breakableText(origin),
      'workers.length': numberColumn(
        ({ count }) => html`${count < COUNTED_DELIVERIES_MAX ? formatCount(count) : consoleText('home.orMore')}`,
      ),
      'workers.oldest': ({ oldest }) => html`!${timeMarkup(oldest)} (${formatAge(oldest, now)})`,
    },
    consoleText('workers.noQueues'),
  )
}
