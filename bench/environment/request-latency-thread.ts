/** Requests lists of payments at a steady rate until it is stopped; reports the latency of each. */
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { sandboxClient } from '../../gateway/testing/gateway/sandbox-client.ts'

const PER_SECOND = 50

const client = sandboxClient(workerData.url)
const request = () => client.listPayments({ query: { limit: 10 } })
const stopped = new Promise((resolve) => parentPort?.once('message', resolve))
let isOver = false
void stopped.then(() => {
  isOver = true
})
// Warm-up: connection, token and code compilation are not measured.
await request()
await request()
parentPort?.postMessage('begun')
const waits: Promise<number>[] = []
while (!isOver) {
  const begun = performance.now()
  waits.push(request().then(() => performance.now() - begun))
  await pause(1000 / PER_SECOND)
}
parentPort?.postMessage(await Promise.all(waits))
