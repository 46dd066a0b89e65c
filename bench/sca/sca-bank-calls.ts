/** Counts our calls to a bank about signatures, as the gateway and the worker count them in their metrics. */
import type { NordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { callsByOperation, sumOf } from '../environment/bank-calls.ts'

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

const READING = /^get\w*Authorisation/
const IMAGE = 'getCodeImage'

/** Since the programs began. */
export async function callsTo({ bic }: NordicBank, { gateway, worker }: MetricsUrls): Promise<CallsFigures> {
  const ofGateway = await callsByOperation(gateway, bic)
  const ofWorker = await callsByOperation(worker, bic)
  const isReading = (operation: string) => READING.test(operation)
  return {
    readings: sumOf(ofGateway, isReading),
    images: ofGateway.get(IMAGE) ?? 0,
    sweep: sumOf(ofWorker, isReading) + (ofWorker.get(IMAGE) ?? 0),
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
