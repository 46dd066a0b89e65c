/** Signs an operator in to the console of a Havn, and requests its pages. */
import type { RunningHavn } from '../environment/running-havn.ts'

/** Requests a page; throws unless it is shown. */
export type RequestPage = (path: string) => Promise<void>

export async function signInToConsole({ url }: Pick<RunningHavn, 'url'>): Promise<RequestPage> {
  const page = await fetch(`${url}/console/sign-in`)
  const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(await page.text()) ?? []
  const signedIn = await fetch(`${url}/console/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookieOf(page) },
    body: new URLSearchParams({ formToken, user: 'operator' }),
  })
  const headers = { cookie: cookieOf(signedIn) }
  return async (path) => {
    const answer = await fetch(`${url}${path}`, { redirect: 'manual', headers })
    await answer.text()
    if (answer.status !== 200) {
      throw new Error(`${path} returned ${answer.status}`)
    }
  }
}

function cookieOf(response: Response): string {
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}
