/** A studio error is what a studio said no to, in its own words. */

import type { ErrorDocument } from "../protocol/result.ts";

export class StudioError extends Error {
  override readonly name: string = "StudioError";
  /** The status of the response. */
  readonly status: number;
  readonly error: ErrorDocument["error"];

  constructor(status: number, error: ErrorDocument["error"]) {
    super(error.message);
    this.status = status;
    this.error = error;
  }

  /** Reads a response that is no success. */
  static async of(response: Response): Promise<StudioError> {
    const { status } = response;
    const document = (await response.json().catch(() => ({}))) as Partial<ErrorDocument>; // what every refusal is
    const unknown = { code: "unknown", message: `The studio answered with status ${status}.` };
    return new StudioError(status, document.error ?? unknown);
  }
}
