/** Asks for lists of payments at a steady pace from its beginning until it is told to end; answers how long each took. */
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { demoClient } from './demo-client.ts'

const PER_SECOND = 50

const client = demoClient(workerData.url)
const ask = () => client.listPayments({ query: { limit: 10 } })
const told = new Promise((resolve) => parentPort?.once('message', resolve))
let isOver = false
void told.then(() => {
  isOver = true
})
// Connection, token and code are not what is measured.
await ask()
await ask()
parentPort?.postMessage('begun')
const waits: Promise<number>[] = []
while (!isOver) {
  const begun = performance.now()
  waits.push(ask().then(() => performance.now() - begun))
  await pause(1000 / PER_SECOND)
}
parentPort?.postMessage(await Promise.all(waits))
