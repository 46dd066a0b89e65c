/** Measures the latency of other requests during a measurement, in a separate thread. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** In milliseconds, of requests that are sent on schedule. */
export async function requestLatencyDuring(url: string, something: () => Promise<unknown>): Promise<readonly number[]> {
  const thread = new Worker(new URL('./request-latency-thread.ts', import.meta.url), { workerData: { url } })
  try {
    await once(thread, 'message')
    await something()
    thread.postMessage('end')
    const [waits] = await once(thread, 'message')
    return waits
  } finally {
    await thread.terminate()
  }
}
