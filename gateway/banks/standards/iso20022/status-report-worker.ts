/** Runs as a thread of its own, for `read-report.ts`: reads one report and tells what it says. */
import { parentPort, workerData } from 'node:worker_threads'
import { readPain002 } from './pain-002.ts'
import type { ReportFromThread, ReportToThread } from './read-status-report.ts'

const { bytes, reading } = workerData as ReportToThread
const report = readPain002(Buffer.from(bytes).toString('utf8'), reading)
const told: ReportFromThread = report && { ...report, reportedAt: report.reportedAt.toString() }
parentPort?.postMessage(told)
