/** Counts our calls to a bank about signatures, as the gateway and the worker count them in their metrics. */
import type { NordicBank } from '../gateway/testing/nordic-banks.ts'

/** Calls to the bank about signatures. */
export type CallsFigures = {
  /** Because somebody read the approval. */
  readonly readings: number
  /** What it takes besides where the image is at an address of its own. */
  readonly images: number
  /** By the worker, which looks after signings that nobody reads. */
  readonly sweep: number
}

/** Where the gateway and the worker say how often they called banks. */
export type MetricsUrls = { readonly gateway: string; readonly worker: string }

const COUNTS = 'havn_bank_call_seconds_count'
const READING = /^get\w*Authorisation/
const IMAGE = 'getCodeImage'

/** Since the programs began. */
export async function callsTo({ bic }: NordicBank, { gateway, worker }: MetricsUrls): Promise<CallsFigures> {
  const ofGateway = await countsAt(gateway, bic)
  const ofWorker = await countsAt(worker, bic)
  return {
    readings: sum(ofGateway.filter(({ operation }) => READING.test(operation))),
    images: sum(ofGateway.filter(({ operation }) => operation === IMAGE)),
    sweep: sum(ofWorker.filter(({ operation }) => READING.test(operation) || operation === IMAGE)),
  }
}

/** What came between two countings, by so many seconds of one signing. */
export function perSigningAndSecond(before: CallsFigures, after: CallsFigures, seconds: number): CallsFigures {
  return {
    readings: (after.readings - before.readings) / seconds,
    images: (after.images - before.images) / seconds,
    sweep: (after.sweep - before.sweep) / seconds,
  }
}

type Count = { readonly operation: string; readonly count: number }

async function countsAt(metricsUrl: string, bic: string): Promise<readonly Count[]> {
  const text = await (await fetch(metricsUrl)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(COUNTS) && line.includes(`bank="${bic}"`))
  return lines.map((line) => ({
    operation: /operation="([^"]*)"/.exec(line)?.[1] ?? '',
    count: Number(line.split(' ').at(-1)),
  }))
}

function sum(counts: readonly Count[]): number {
  return counts.reduce((total, { count }) => total + count, 0)
}
