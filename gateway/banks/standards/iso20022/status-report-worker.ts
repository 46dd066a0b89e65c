/** Worker thread of `read-status-report.ts`: parses one report and posts the result. */
import { parentPort, workerData } from 'node:worker_threads'
import { decodeBody } from '../../transport/http-exchange.ts'
import { readPain002 } from './read-pain-002.ts'
import type { ReportWorkerInput, ReportWorkerOutput } from './read-status-report.ts'

const { bytes, reading } = workerData as ReportWorkerInput
const report = readPain002(decodeBody(bytes), reading)
const output: ReportWorkerOutput = report && { ...report, reportedAt: report.reportedAt.toString() }
parentPort?.postMessage(output)
