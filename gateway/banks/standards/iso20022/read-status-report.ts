/** Reads a report where it keeps nobody waiting: a long one, of which one piece of XML takes seconds, in a thread of its own. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type FileReport, FileUnreadable } from '../../file-product.ts'
import { type Reading, readPain002 } from './pain-002.ts'

/** Some hundred payments, some hundredths of a second. */
const READ_HERE_BYTES_MAX = 100_000
const THREAD_MILLISECONDS_MAX = 120_000
/** A tree of the longest report has some ten times its length; a file that needs more is no report. */
const THREAD_MEGABYTES_MAX = 1_000

/** What the thread is given. */
export type ReportToThread = { readonly bytes: Uint8Array; readonly reading: Reading }

/** What it tells; times do not go from thread to thread. */
export type ReportFromThread = (Omit<FileReport, 'reportedAt'> & { readonly reportedAt: string }) | null

/** Null for whatever is no whole report. Throws `FileUnreadable` where reading it takes too much. */
export async function readReport(bytes: Buffer, reading: Reading): Promise<FileReport | null> {
  if (bytes.length <= READ_HERE_BYTES_MAX) {
    return readPain002(bytes.toString('utf8'), reading)
  }
  const workerData: ReportToThread = { bytes, reading }
  const thread = new Worker(new URL('./status-report-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEGABYTES_MAX },
  })
  const timer = setTimeout(() => thread.terminate(), THREAD_MILLISECONDS_MAX)
  try {
    const ended = once(thread, 'exit').then(() => Promise.reject(new Error('the thread has ended')))
    ended.catch(() => undefined)
    const [told]: ReportFromThread[] = await Promise.race([once(thread, 'message'), ended])
    return told == null ? null : { ...told, reportedAt: Temporal.Instant.from(told.reportedAt) }
  } catch (error) {
    const isTooMuch = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    throw new FileUnreadable('A file of the bank takes too much to read', isTooMuch, error)
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}
