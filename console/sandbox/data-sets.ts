/** Lets operators load a data set of the sandbox: what will be deleted, the confirmation, and how far the load has come. */
import { html } from 'ghtml'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import {
  DATA_SETS,
  type DataSetLoad,
  type DataSetName,
  isInterrupted,
} from '../../gateway/simulation/data-sets/data-set.ts'
import {
  beginDataSetLoad,
  findDataSetLoad,
  inspectStoredData,
  storedCountText,
} from '../../gateway/simulation/data-sets/load-data-set.ts'
import { requireSandboxBank } from '../../gateway/simulation/simulation.ts'
import { isPermitted } from '../access/console-role.ts'
import { actorOf } from '../access/console-session.ts'
import type { Viewer } from '../access/viewer.ts'
import { type ConsoleContext, requireSimulation } from '../console-context.ts'
import { type ConsoleRequest, type ConsoleRoute, get, post } from '../console-route.ts'
import type { ConsoleAnswer, ConsolePage } from '../layout/console-page.ts'
import { LIVE_SCRIPT_PATH, liveRegion } from '../live/live-region.ts'
import { factList } from '../markup/data-table.ts'
import { formatCount } from '../markup/format-money.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { deleteUsersOfOtherPartners } from '../users/user-store.ts'

const DATA_SETS_PATH = '/console/sandbox/data-sets'
/** It concerns every partner. */
const PERMISSION = 'operations.act'
const STORED = ['partners', 'companies', 'consents', 'payments', 'payrolls', 'subscriptions'] as const

export function dataSetRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  const reader = async (subjects: readonly string[]) => {
    const load = await findDataSetLoad(context)
    return new Map(subjects.map((subject) => [subject, `${load?.startedAt} ${load?.updatedAt} ${load?.state}`]))
  }
  const part = { reader, subject: 'data set', render: async () => progressOf(context, await findDataSetLoad(context)) }
  const permission = PERMISSION
  return [
    get(permission)(DATA_SETS_PATH, ({ viewer, query }) => dataSetPage(context, viewer, query)),
    get(permission, { isLive: true })(`${DATA_SETS_PATH}/:dataSet/live`, async ({ params }) => {
      if (nameOf(params['dataSet'] ?? '') === undefined) {
        throw apiError('not-found', 'No such data set')
      }
      return { kind: 'live', part }
    }),
    post(permission)(DATA_SETS_PATH, (request) => loadByButton(context, request)),
  ]
}

/** On the sandbox panel, for those who may load one. */
export function dataSetSection({ session }: Viewer): string {
  if (!isPermitted(session.roles, PERMISSION)) {
    return ''
  }
  const options = DATA_SETS.map(
    (name) => html`<option value="${name}">${consoleText(`dataSets.names.${name}`)}</option>`,
  )
  return html`<h2>${consoleText('dataSets.title')}</h2>
<p>${consoleText('dataSets.explain')}</p>
<form class="filters" method="get" action="${DATA_SETS_PATH}">
<div class="field"><label for="data-set">${consoleText('dataSets.choose')}</label>
<select id="data-set" name="name" autocomplete="off">!${options.join('')}</select></div>
<div class="field buttons"><button>${consoleText('dataSets.continue')}</button>
<a class="button second" href="${DATA_SETS_PATH}?name=demo">${consoleText('dataSets.reset')}</a></div>
</form>`
}

async function dataSetPage(context: ConsoleContext, { token }: Viewer, query: URLSearchParams): Promise<ConsolePage> {
  const name = nameOf(query.get('name') ?? '')
  const load = await findDataSetLoad(context)
  const body = html`!${liveRegion(`${DATA_SETS_PATH}/${load?.name ?? 'demo'}/live`, progressOf(context, load))}
!${name === undefined ? '' : await confirmation(context, name, token)}
<p><a href="/console/sandbox">${consoleText('dataSets.back')}</a></p>`
  return { kind: 'page', title: consoleText('dataSets.title'), body, scripts: [LIVE_SCRIPT_PATH] }
}

async function confirmation(context: ConsoleContext, name: DataSetName, token: string): Promise<string> {
  const stored = await inspectStoredData(context)
  const counts = STORED.map(
    (what) => [consoleText(`dataSets.stored.${what}`), html`${storedCountText(stored[what])}`] as const,
  )
  return html`<h2>${consoleText(`dataSets.names.${name}`)}</h2>
<p>${consoleText(`dataSets.explains.${name}`)}</p>
<p>${consoleText('dataSets.deletes')}</p>
!${factList({}, counts)}
<form class="actions" method="post" action="${DATA_SETS_PATH}">!${tokenField(token)}<input type="hidden" name="name" value="${name}">
<button>${consoleText('dataSets.load')}</button>
<a class="button second" href="/console/sandbox">${consoleText('dataSets.cancel')}</a></form>`
}

function progressOf({ clock }: ConsoleContext, load: DataSetLoad | undefined): string {
  if (load === undefined) {
    return html`<p>${consoleText('dataSets.never')}</p>`
  }
  return factList({
    'dataSets.last': html`${consoleText(`dataSets.names.${load.name}`)}`,
    'dataSets.state': html`${stateOf(load, clock.real())}`,
    'dataSets.begun': timeMarkup(load.startedAt),
  })
}

function stateOf(load: DataSetLoad, real: Temporal.Instant): string {
  const { state, step, done, total, error } = load
  if (isInterrupted(load, real)) {
    return consoleText('dataSets.interrupted')
  }
  if (state === 'failed') {
    return consoleText('dataSets.failed', { error: error ?? '' })
  }
  const share = total === 0 ? '' : ` ${formatCount(done)} / ${formatCount(total)}`
  return state === 'loaded' ? consoleText('dataSets.loaded') : `${consoleText(`dataSets.steps.${step}`)}${share}`
}

/** The load goes on behind the page, which shows how far it has come. */
async function loadByButton(context: ConsoleContext, { form, viewer }: ConsoleRequest): Promise<ConsoleAnswer> {
  const name = nameOf(form.text('name'))
  if (name === undefined) {
    throw apiError('bad-request', consoleText('dataSets.noSet'))
  }
  const simulation = requireSimulation(context)
  const { provider, moves } = simulation
  const tools = {
    bank: requireSandboxBank(simulation),
    provider,
    deleteUsers: deleteUsersOfOtherPartners,
    stopping: moves.stopping,
  }
  const { ended } = await beginDataSetLoad(context, tools, { name, actor: actorOf(viewer.session) })
  moves.inBackground(ended)
  return { kind: 'redirect', to: DATA_SETS_PATH }
}

function nameOf(text: string): DataSetName | undefined {
  return DATA_SETS.find((name) => name === text)
}
