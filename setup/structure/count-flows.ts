/** Counts the gateway's files and functions that run for a payment and for a payroll, from initiation to approval. */
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { startedBy } from '../../bench/environment/process-tree.ts'
import { type RunningHavn, startHavn } from '../../bench/environment/running-havn.ts'
import { openPayrollClient } from '../../bench/payrolls/payroll-fixture.ts'

import { openScaFixture } from '../../bench/sca/sca-fixture.ts'
import { nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { freePorts } from '../../gateway/testing/gateway/free-ports.ts'
import { PAYROLL_BANKS } from '../../gateway/testing/payrolls/payroll-fixture.ts'
import { ROOT } from '../source-files.ts'
import type { Figures } from './count-sources.ts'
import { type Coverage, coverageOf, type Functions } from './function-coverage.ts'

/** As long as the longest flow: what the gateway runs by itself is subtracted from each. */
const IDLE_MILLISECONDS = 15_000
const PAYMENT_BANK = 'FJORNO22'
const PAYROLL_TRANSACTIONS = 3

/** Runs the flows on a Havn in this folder, which is emptied before and after. */
export async function countFlows(folder: string): Promise<Figures> {
  const [port = 0] = await freePorts(1)
  const havn = await startHavn(folder, { NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}` })
  try {
    const gateway = (await startedBy(havn.supervisorPid)).find(({ name }) => name === 'gateway')
    if (gateway === undefined) {
      throw new Error('No gateway process was found')
    }
    const coverage = await coverageOf(gateway.pid, port, pathToFileURL(ROOT).href)
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
    figures.set(`files/functions that run: ${flow}`, figure(await coverage.take(), idle))
    return result
  }
  const paymentId = await measured('initiate a payment', () => payments.initiate(bank))
  await measured('approve it', () => payments.approve(bank, paymentId))
  const payrollId = await measured('initiate a payroll of 3 as bulk', submitPayroll)
  await measured('approve the payroll', () => payrolls.requestApproval(payrollId))
  return figures
}

function figure(ran: Functions, idle: Functions): string {
  const functions = [...ran].filter((name) => !idle.has(name) && /^(gateway|contract)\//.test(name))
  const files = new Set(functions.map((name) => name.slice(0, name.indexOf(':'))))
  return `${files.size}/${functions.length}`
}
