/** Reads the number of SCA calls to a bank from the metrics of the gateway and the worker. */
import type { NordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { callsByOperation, sumOf } from '../environment/bank-calls.ts'

/** Calls to the bank about SCA. */
export type ScaCallFigures = {
  /** Caused by reads of the approval. */
  readonly readings: number
  /** Further calls where the image has its own URL. */
  readonly images: number
  /** By the worker, which polls sessions that are not read. */
  readonly sweep: number
}

/** The metrics URLs of the programs that call banks. */
export type MetricsUrls = { readonly gateway: string; readonly worker: string }

const READING = /^get\w*Authorisation/
const IMAGE = 'getCodeImage'

/** Since the programs began. */
export async function scaCallsTo({ bic }: NordicBank, { gateway, worker }: MetricsUrls): Promise<ScaCallFigures> {
  const ofGateway = await callsByOperation(gateway, bic)
  const ofWorker = await callsByOperation(worker, bic)
  const isReading = (operation: string) => READING.test(operation)
  return {
    readings: sumOf(ofGateway, isReading),
    images: ofGateway.get(IMAGE) ?? 0,
    sweep: sumOf(ofWorker, isReading) + (ofWorker.get(IMAGE) ?? 0),
  }
}

/** The difference between two readings, per session and second. */
export function perSessionAndSecond(before: ScaCallFigures, after: ScaCallFigures, seconds: number): ScaCallFigures {
  return {
    readings: (after.readings - before.readings) / seconds,
    images: (after.images - before.images) / seconds,
    sweep: (after.sweep - before.sweep) / seconds,
  }
}
