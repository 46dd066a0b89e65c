/** `havn logs show`: prints a request with its response, and as a curl command. */
import { curlCommand } from '../../../console/requests/curl-command.ts'
import type { Context } from '../context.ts'

export async function showRequest(context: Context, svcRequestId: string): Promise<void> {
  const { havn, profile } = await context.connect()
  const request = await havn.getRequest({ params: { svcRequestId } })
  const { baseUrl } = profile
  const curl = curlCommand(request, { baseUrl, authUrl: baseUrl, onboardingUrl: baseUrl })
  const { method, path, status, milliseconds, receivedAt, errorCodes, requestBody, responseBody } = request
  context.output.result(
    { ...request, curl },
    [
      `${receivedAt}  ${method} ${path}`,
      `${status} in ${Math.round(milliseconds)} ms${errorCodes.length === 0 ? '' : `  ${errorCodes.join(' ')}`}`,
      ...headed('Request', requestBody),
      ...headed('Response', responseBody),
      ...headed('As a curl command', curl),
    ].join('\n'),
  )
}

function headed(title: string, text: string | null): readonly string[] {
  return text === null ? [] : ['', `${title}:`, text]
}
