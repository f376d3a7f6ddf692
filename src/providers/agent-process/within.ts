/** Waits for an answer for so many milliseconds and no longer; rejects with the sentence when there is none by then. */
export async function within<T>(milliseconds: number, answer: Promise<T>, late: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(late)), milliseconds);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
