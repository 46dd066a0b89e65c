/** Measures how long other requests take while something goes on, in a thread that what the bench itself computes does not hold up. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** In milliseconds, of requests that are sent when their time has come. */
export async function othersDuring(url: string, something: () => Promise<unknown>): Promise<readonly number[]> {
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
