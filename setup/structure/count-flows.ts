/** Counts what runs of the gateway, by V8's precise coverage, for a payment and a payroll from initiation to approval. */

import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { pidOf } from '../../bench/environment/process-usage.ts'
import { type RunningHavn, startHavn } from '../../bench/environment/running-havn.ts'
import { openPayrollClient } from '../../bench/payrolls/payroll-fixture.ts'
import { openScaFixture } from '../../bench/sca/sca-fixture.ts'
import { nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { freePorts } from '../../gateway/testing/gateway/free-ports.ts'
import { PAYROLL_BANKS } from '../../gateway/testing/payrolls/payroll-fixture.ts'
import { waitUntil } from '../../launcher/processes.ts'
import { ROOT } from '../source-files.ts'
import type { Figures } from './count-sources.ts'

/** As long as the longest flow: what the gateway runs by itself is subtracted from each. */
const IDLE_MILLISECONDS = 15_000
const PAYMENT_BANK = 'FJORNO22'
const PAYROLL_TRANSACTIONS = 3

/** Runs the flows on a Havn in this folder, which is emptied before and after. */
export async function countFlows(folder: string): Promise<Figures> {
  const [port = 0] = await freePorts(1)
  const havn = await startHavn(folder, { NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}` })
  try {
    const coverage = await coverageOf(await pidOf('gateway', havn.supervisorPid), port, pathToFileURL(ROOT).href)
    try {
      return await measureFlows(havn, coverage)
    } finally {
      coverage.close()
    }
  } finally {
    await havn.close()
  }
}

/** Each flow runs once before it is measured: what happens only the first time is no part of it. */
async function measureFlows(havn: RunningHavn, coverage: Coverage): Promise<Figures> {
  const payments = await openScaFixture(havn)
  const payrolls = await openPayrollClient(havn, PAYROLL_BANKS.bulk)
  const bank = nordicBank(PAYMENT_BANK)
  const submitPayroll = async () => {
    const { payrollId } = await payrolls.order(payrolls.payroll(PAYROLL_TRANSACTIONS))
    await payrolls.submitted(payrollId)
    return payrollId
  }
  await payments.approve(bank, await payments.initiate(bank))
  await payrolls.requestApproval(await submitPayroll())
  await coverage.take()
  await pause(IDLE_MILLISECONDS)
  const idle = await coverage.take()
  const figures = new Map<string, string>()
  const measured = async <Result>(flow: string, run: () => Promise<Result>): Promise<Result> => {
    await coverage.take()
    const result = await run()
    const ran = await coverage.take()
    figures.set(`files/functions that run: ${flow}`, figure(ran, idle))
    const parties = PARTIES_BY_FLOW[flow]
    if (parties !== undefined) {
      figures.set(`account numbers parsed, creditors resolved, rails computed: ${flow}`, parsings(ran, parties))
    }
    return result
  }
  const paymentId = await measured('initiate a payment', () => payments.initiate(bank))
  await measured('approve it', () => payments.approve(bank, paymentId))
  const payrollId = await measured('initiate a payroll of 3 as bulk', submitPayroll)
  await measured('approve the payroll', () => payrolls.requestApproval(payrollId))
  return figures
}

/** A debtor and its creditors. */
const PARTIES_BY_FLOW: Readonly<Record<string, number>> = {
  'initiate a payment': 2,
  'initiate a payroll of 3 as bulk': 1 + PAYROLL_TRANSACTIONS,
}

/** Per party, per creditor and per party. */
function parsings(ran: Functions, parties: number): string {
  const callsOf = (name: string) =>
    [...ran].filter(([ranName]) => ranName.startsWith(`${name}:`)).reduce((sum, [, calls]) => sum + calls, 0)
  return [
    callsOf('gateway/countries/account-number.ts:checkAccountNumber') / parties,
    callsOf('gateway/orders/parse/domestic-payment-parts.ts:resolveCreditor') / (parties - 1),
    callsOf('gateway/banks/connector/bank-order.ts:kindOfCreditorNumber') / parties,
  ].join(', ')
}

function figure(ran: Functions, idle: Functions): string {
  const functions = [...ran.keys()].filter((name) => !idle.has(name) && /^(gateway|contract)\//.test(name))
  const files = new Set(functions.map((name) => name.slice(0, name.indexOf(':'))))
  return `${files.size}/${functions.length}`
}

/** How often each named function ran, by `file:name:offset`; the file is relative to the root of the sources. */
type Functions = ReadonlyMap<string, number>

/** The counts of one process. */
type Coverage = {
  /** The functions that ran since the last call. */
  take(): Promise<Functions>
  close(): void
}

const INSPECTOR_MILLISECONDS = 10_000

type Message = { readonly id: number; readonly result?: unknown }
type ScriptCoverage = {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
  }[]
}

/**
 * Opens the inspector of a process that was started with `--inspect-port`, and counts in it from now on. `root` is the
 * URL of the sources' folder.
 */
async function coverageOf(pid: number, port: number, root: string): Promise<Coverage> {
  process.kill(pid, 'SIGUSR1')
  let url = ''
  await waitUntil(async () => {
    url = await debuggerUrl(port)
    return url !== ''
  }, INSPECTOR_MILLISECONDS)
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const pending = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as Message
    pending.get(id)?.(result)
    pending.delete(id)
  })
  const call = (method: string, params: object = {}) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const id = callCount()
    pending.set(id, resolve)
    socket.send(JSON.stringify({ id, method, params }))
    return promise
  }
  await call('Profiler.enable')
  await call('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    take: async () => {
      const { result } = (await call('Profiler.takePreciseCoverage')) as { readonly result: readonly ScriptCoverage[] }
      return functionsIn(result, root)
    },
    close: () => socket.close(),
  }
}

let calls = 0
function callCount(): number {
  calls += 1
  return calls
}

async function debuggerUrl(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined)
  const targets = (await response?.json()) as readonly { readonly webSocketDebuggerUrl: string }[] | undefined
  return targets?.[0]?.webSocketDebuggerUrl ?? ''
}

/** A function without a name is a module, or a part of the function that it is written in. */
function functionsIn(scripts: readonly ScriptCoverage[], root: string): Functions {
  const ran = scripts
    .filter(({ url }) => url.startsWith(root) && !url.includes('/node_modules/'))
    .flatMap(({ url, functions }) =>
      functions.flatMap(({ functionName, ranges: [range] }) =>
        functionName !== '' && range !== undefined && range.count > 0
          ? [[`${url.slice(root.length)}:${functionName}:${range.startOffset}`, range.count] as const]
          : [],
      ),
    )
  return new Map(ran)
}
