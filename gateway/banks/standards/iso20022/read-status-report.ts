/** Parses a status report; a long one, which takes seconds, in a worker thread outside the event loop. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type FileReport, UnreadableFileError } from '../../connector/file-product.ts'
import { type ReportSettings, readPain002 } from './read-pain-002.ts'
import { decodeXml } from './xml-tree.ts'

/** Some hundred payments, which take some hundredths of a second. */
const READ_HERE_BYTES_MAX = 100_000
const THREAD_MILLISECONDS_MAX = 120_000
/** The longest file that is read takes a third of this; the memory of a worker in the chart has room for it. */
const THREAD_MEGABYTES_MAX = 256

export type ReportWorkerInput = { readonly bytes: Uint8Array; readonly reading: ReportSettings }

/** Output of the worker thread; `Temporal` values cannot be transferred between threads. */
export type ReportWorkerOutput = (Omit<FileReport, 'reportedAt'> & { readonly reportedAt: string }) | null

/** Null for an incomplete report. Throws `UnreadableFileError` where parsing takes too much memory or time. */
export async function readStatusReport(bytes: Buffer, reading: ReportSettings): Promise<FileReport | null> {
  if (bytes.length <= READ_HERE_BYTES_MAX) {
    return readPain002(decodeXml(bytes), reading)
  }
  const workerData: ReportWorkerInput = { bytes, reading }
  const thread = new Worker(new URL('./status-report-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEGABYTES_MAX },
  })
  const timer = setTimeout(() => thread.terminate(), THREAD_MILLISECONDS_MAX)
  try {
    const ended = once(thread, 'exit').then(() => Promise.reject(new Error('the worker thread has ended')))
    ended.catch(() => undefined)
    const [report]: ReportWorkerOutput[] = await Promise.race([once(thread, 'message'), ended])
    return report == null ? null : { ...report, reportedAt: Temporal.Instant.from(report.reportedAt) }
  } catch (error) {
    const isTooMuch = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    throw new UnreadableFileError('A file of the bank takes too much memory or time to read', isTooMuch, error)
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}
