/** Sends requests to the API of this gateway as a partner does: through every check of its pipeline, and without a network. */
import { parseJson } from '../../../gateway/platform/parse-json.ts'

/** With a body as JSON, or as a form. */
export type ApiRequest = {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: object
  readonly form?: Readonly<Record<string, string>>
}

export type ApiResponse = { readonly status: number; readonly body: unknown }

/** Posts. */
export type CallApi = (request: ApiRequest) => Promise<ApiResponse>

/** The part of the server that is used. */
type InjectableServer = {
  inject(request: {
    readonly method: 'POST'
    readonly url: string
    readonly headers: Record<string, string>
    readonly payload: string
  }): Promise<{ readonly statusCode: number; readonly body: string }>
}

export function apiCaller(server: InjectableServer): CallApi {
  return async ({ path, headers = {}, json, form }) => {
    const mediaType = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
    const { statusCode, body } = await server.inject({
      method: 'POST',
      url: path,
      headers: { ...headers, 'content-type': mediaType },
      payload: json === undefined ? new URLSearchParams(form).toString() : JSON.stringify(json),
    })
    return { status: statusCode, body: body === '' ? {} : parseJson(body) }
  }
}
