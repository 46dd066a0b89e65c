/** Shows operators the processes that run, what is due, and the queues of webhook deliveries. */
import { html } from 'ghtml'
import { listRunningProcesses, type RunningProcess } from '../../gateway/platform/jobs/running-process.ts'
import { listSweepStates, type SweepState } from '../../gateway/platform/jobs/sweep.ts'
import { formatAge } from '../../gateway/platform/time-format.ts'
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
!${processesOf(processes)}
<h2>${consoleText('workers.sweeps')}</h2>
<p>${consoleText('workers.sweepsExplain')}</p>
!${sweepsOf(sweeps)}
<h2>${consoleText('workers.queues')}</h2>
<p>${consoleText('workers.queuesExplain')}</p>
!${queuesOf(queues, context.clock.now())}`
  return { kind: 'page', title: consoleText('workers.title'), body }
}

function processesOf(processes: readonly RunningProcess[]): string {
  const columns: Columns = [
    'workers.role',
    'workers.state',
    'workers.release',
    'workers.host',
    'workers.pid',
    'workers.started',
    'workers.seen',
  ]
  const rows = processes.map(({ role, isAlive, release, host, pid, startedAt, seenAt }) => [
    html`${role}`,
    statusMarkup(consoleText(isAlive ? 'workers.running' : 'workers.notSeen')),
    html`${release ?? ''}`,
    breakableText(host),
    html`${pid}`,
    wallTimeMarkup(startedAt),
    wallTimeMarkup(seenAt),
  ])
  return dataTable(columns, rows, consoleText('workers.noProcesses'))
}

/** What has waited longest first, then what is due next. */
function sweepsOf(sweeps: readonly SweepState[]): string {
  const rows = sweeps
    .filter(({ nextDue }) => nextDue !== null)
    .toSorted(byDueTime)
    .map(({ name, time, dueSince, nextDue }) => [
      html`${name}`,
      dueSince === null ? '' : html`<strong>${consoleText('workers.since')}</strong> !${markupOf(time, dueSince)}`,
      nextDue === null || dueSince !== null ? '' : markupOf(time, nextDue),
    ])
  return dataTable(['workers.sweep', 'workers.due', 'workers.next'], rows, consoleText('workers.nothingDue'))
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
  const columns: Columns = ['workers.partner', 'workers.origin', numberColumn('workers.length'), 'workers.oldest']
  const rows = queues.map(({ partnerId, partnerName, origin, count, oldest }) => [
    html`<a href="${PARTNERS_PATH}/${partnerId}">${partnerName}</a>`,
    breakableText(origin),
    html`${count < COUNTED_DELIVERIES_MAX ? formatCount(count) : consoleText('home.orMore')}`,
    html`!${timeMarkup(oldest)} (${formatAge(oldest, now)})`,
  ])
  return dataTable(columns, rows, consoleText('workers.noQueues'))
}
