/** Runs steps one after the other with one gateway, reports their progress, cleans up, and prints a table of the results. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { havnProcesses } from '../../gateway/testing/gateway/havn-processes.ts'
import type { ClientGateway, ClientOutcome, ClientStep } from './client-step.ts'
import { runProgram } from './run-program.ts'

type RunningGateway = ClientGateway & { close(): Promise<void> }

/** Whether every selected step passed. All of them run, also after a failed one. Throws when none is selected. */
export async function runClientSteps(steps: readonly ClientStep[], wanted: readonly string[]): Promise<boolean> {
  const selected = selectSteps(steps, wanted)
  const folder = await mkdtemp(join(tmpdir(), 'havn-clients-'))
  let gateway: Promise<RunningGateway> | undefined
  const cleanUp = once(async () => {
    await (await gateway)?.close()
    await rm(folder, { recursive: true, force: true })
  })
  const interrupt = () => void cleanUp().finally(() => process.exit(1))
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const rows: OutcomeRow[] = []
  try {
    for (const [index, step] of selected.entries()) {
      console.log(`\n[${index + 1}/${selected.length}] ${step.name}: ${step.title}`)
      rows.push(
        await runStep(step, join(folder, step.name), () => {
          gateway ??= startClientGateway()
          return gateway
        }),
      )
    }
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    await cleanUp()
  }
  console.log(`\n${outcomeTable(rows)}`)
  return rows.every(({ failure }) => failure === undefined)
}

/** Throws with the known names when a word selects no step. */
export function selectSteps(steps: readonly ClientStep[], wanted: readonly string[]): readonly ClientStep[] {
  const unknown = wanted.filter((word) => !steps.some(({ name }) => name.includes(word)))
  if (unknown.length > 0) {
    const names = steps.map(({ name }) => name).join(', ')
    throw new Error(`No step is called ${unknown.join(' or ')}. The steps are: ${names}`)
  }
  return wanted.length === 0 ? steps : steps.filter(({ name }) => wanted.some((word) => name.includes(word)))
}

async function runStep(step: ClientStep, folder: string, gateway: () => Promise<ClientGateway>): Promise<OutcomeRow> {
  const begun = performance.now()
  const report = (line: string) => console.log(`  ${line}`)
  const secondsPassed = () => Math.round((performance.now() - begun) / 1000)
  try {
    await mkdir(folder)
    const outcome: ClientOutcome = await step.run({
      folder,
      gateway,
      report,
      run: (program, options, changes = {}) => runProgram(program, options, { folder, ...changes }),
    })
    report(`passed in ${secondsPassed()} s`)
    return { ...outcome, name: step.name, seconds: secondsPassed() }
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    report(`FAILED after ${secondsPassed()} s: ${failure.replaceAll('\n', '\n  ')}`)
    return { name: step.name, seconds: secondsPassed(), failure }
  }
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= action()
    return running
  }
}

/** The result of one step; `failure` says why it failed. */
type OutcomeRow = ClientOutcome & {
  readonly name: string
  readonly seconds: number
  readonly failure?: string
}

const COLUMNS = ['step', 'language', 'operations', 'compiled', 'paid', 'seconds', 'result'] as const

/** One line for each step below the names of the columns; an en dash where a step shows nothing. */
function outcomeTable(rows: readonly OutcomeRow[]): string {
  const cells = [COLUMNS, ...rows.map(cellsOf)]
  const widths = COLUMNS.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cellsOf({ name, seconds, failure, language, operations, compiled, paid }: OutcomeRow): readonly string[] {
  const shown = [language, operations, compiled, paid].map((cell) => cell ?? '–')
  return [name, ...shown, String(seconds), failure === undefined ? 'passed' : 'FAILED']
}

/** Clients receive deliveries of webhooks on this machine. */
const WEBHOOK_SETTINGS = { HAVN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', HAVN_WEBHOOK_HTTP: '1' }
const DEMO_PARTNER = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret' }

/** Ready when it resolves. `close` ends its processes and deletes its data. */
export async function startClientGateway(): Promise<ClientGateway & { close(): Promise<void> }> {
  const processes = await havnProcesses(WEBHOOK_SETTINGS)
  try {
    await processes.start()
  } catch (error) {
    await processes.close()
    throw error
  }
  return { ...DEMO_PARTNER, url: processes.url, close: () => processes.close() }
}
