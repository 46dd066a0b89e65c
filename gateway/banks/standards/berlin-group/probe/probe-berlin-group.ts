/** Probes a bank with harmless calls and reports which profile settings the answers suggest. */

import type { ConnectorDependencies } from '../../../connector/connector-dependencies.ts'
import type { ProbeOptions, ProbeReport } from '../../../connector/probe-report.ts'
import type { Bank } from '../../../directory/bank.ts'
import { probeAccess } from './probe-access.ts'
import { probeBulk } from './probe-bulk.ts'
import { probeConsents } from './probe-consents.ts'
import { openOrderProbe, probeMembers } from './probe-order.ts'
import { probeProducts } from './probe-products.ts'
import { openProber, type Prober } from './prober.ts'

/**
 * No call can move money or make a user sign: consents are deleted at once, and orders are from accounts that cannot
 * exist. Throws `BankError` where the bank cannot be reached.
 */
export async function probeBerlinGroup(
  tools: ConnectorDependencies,
  bank: Bank,
  options: ProbeOptions,
): Promise<ProbeReport> {
  const prober = openProber(tools, bank, options)
  const access = await probeAccess(prober)
  if (access.isClosed) {
    const closed = 'The bank requires a token for every call: users sign in first. The other settings cannot be probed.'
    return { findings: access.findings, notes: [...access.notes, closed], calls: prober.calls }
  }
  const consents = await probeConsents(prober)
  const products = await probeProducts(prober)
  const orders = await probeOrders(prober, products.account, products.hasBulks)
  return {
    findings: [...access.findings, ...consents.findings, ...products.findings, ...orders.findings],
    notes: [...access.notes, ...consents.notes, ...orders.notes],
    calls: prober.calls,
  }
}

async function probeOrders(
  prober: Prober,
  product: string | null,
  hasBulks: boolean,
): Promise<Pick<ProbeReport, 'findings' | 'notes'>> {
  if (product === null) {
    return { findings: [], notes: ['No payment product was found: the format of orders cannot be probed.'] }
  }
  const { probe, findings, notes } = await openOrderProbe(prober, product)
  const members = await probeMembers(prober, probe)
  const bulk = hasBulks ? await probeBulk(prober, product, probe.order, notes) : []
  return { findings: [...findings, ...members, ...bulk], notes: [...new Set(notes)] }
}
