/** Worker thread of `read-status-report.ts`: parses one report and posts the result. */
import { parentPort, workerData } from 'node:worker_threads'
import { readPain002 } from './read-pain-002.ts'
import type { ReportWorkerInput, ReportWorkerOutput } from './read-status-report.ts'
import { decodeXml } from './xml-tree.ts'

const { bytes, reading } = workerData as ReportWorkerInput
const report = readPain002(decodeXml(bytes), reading)
const output: ReportWorkerOutput = report && { ...report, reportedAt: report.reportedAt.toString() }
parentPort?.postMessage(output)
