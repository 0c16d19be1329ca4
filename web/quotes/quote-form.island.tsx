import { type SyntheticEvent, useEffect } from "react";

import { CONSENT_WORDING } from "../../contract/consent.ts";
import { getDefaultFrequency, isProposedFrequency, QUOTE_STEPS } from "../../contract/leads.ts";
import { getSubmissionId } from "../documents/draft.ts";
import { BLANK_FORM, type FormState } from "../documents/form-state.ts";
import { useActionForm } from "../documents/use-action-form.ts";
import type { FormChallenge } from "../documents/use-challenge.ts";
import { FormIcon } from "../ui/icon.tsx";
import { ChallengeBox } from "./challenge-box.tsx";
import { ConsentLine } from "./consent-line.tsx";
import { FailureToast, SEND_FAILED } from "./failure-toast.tsx";
import { LeaveDialog } from "./leave-dialog.tsx";
import { LAST_STEP, parseTouched, readQuote, TOUCHED } from "./quote-check.ts";
import { DetailsStep, PropertyStep, ServiceStep } from "./quote-steps.tsx";
import { PhotoField } from "../photos/photo-field.tsx";
import type { PhotoTarget } from "../photos/photo-target.ts";
import { HiddenFields } from "./hidden-fields.tsx";
import { useSteps } from "./use-steps.ts";
import type { MapsSource } from "../addresses/address-source.ts";
import { ChangingText } from "../ui/changing-text.tsx";

/** The form's state, and the step to show. */
export type QuoteState = FormState & { step: number };

export type QuoteFormProps = QuoteState & {
  maps: MapsSource | null;
  challenge?: FormChallenge | undefined;
  /** The address of the module that lists picked photos. */
  photosFile: string;
};

const STEPS = [PropertyStep, ServiceStep, DetailsStep] as const;

const touchedField = (form: HTMLFormElement) => form.elements.namedItem(TOUCHED) as HTMLInputElement;
const readTouched = (form: HTMLFormElement) => parseTouched(touchedField(form).value);

/** Proposes the frequency of the chosen services until the visitor chooses one. */
function proposeFrequency(form: HTMLFormElement) {
  const { serviceType, frequency } = readQuote(new FormData(form));
  if (readTouched(form).has("frequency") || !isProposedFrequency(frequency)) return;
  const proposed = getDefaultFrequency((serviceType ?? []) as string[]);
  form.querySelector<HTMLInputElement>(`[name="frequency"][value="${proposed}"]`)!.checked = true;
}

/** Remembers that the visitor touched a field. */
function choose({ target, currentTarget }: SyntheticEvent<HTMLFormElement>) {
  const { name } = target as Partial<HTMLInputElement>;
  if (name) touchedField(currentTarget).value = [...readTouched(currentTarget).add(name)].join(",");
  if (name === "serviceType") proposeFrequency(currentTarget);
}

/**
 * Replaces house numbers by zeros. The form must not reveal them before the visitor sends it, but a word behind a number
 * is a street.
 */
function maskNumbers(address: string): string {
  return address
    .split(/\s+/)
    .map((word) => (/^\d{4}\D?$/.test(word) ? word : word.replaceAll(/\d/g, "0")))
    .join(" ");
}

/** Returns the fields of a step that the server checks; null if none can be wrong. */
function pickStep(form: FormData, step: number): FormData | null {
  if (step > 0 && form.has("serviceType")) return null;
  const picked = new FormData();
  for (const name of ["step", ...QUOTE_STEPS[step]!.fields])
    for (const value of form.getAll(name)) picked.append(name, value);
  picked.set("customerAddress", maskNumbers(String(form.get("customerAddress"))));
  return picked;
}

/** Focuses the heading of a new step without errors, so that screen readers announce the step. */
function focusStep(form: HTMLFormElement) {
  form.querySelector<HTMLElement>(".quote__step:not([hidden]) > legend")?.focus();
  form.scrollIntoView({ block: "start" });
}

/**
 * Shows the quote's three steps as one form. Its inputs are uncontrolled and always in the page, so hydration loses no
 * input.
 */
export default function QuoteForm(props: QuoteFormProps) {
  const { step, moves, goTo, resume, openPage } = useSteps(props.step);
  const last = step === LAST_STEP;
  const { ref, formProps, errors, failure, isSending, suburbs, showErrors, showState } =
    useActionForm<QuoteState>(props, {
      failedText: SEND_FAILED,
      leave: openPage,
      request: { action: "quote", challenge: props.challenge },
      steps: {
        isLast: last,
        next: { ...BLANK_FORM, step: step + 1 },
        pick: (form) => pickStep(form, step),
        isFilled: (form) => step === 0 && String(form.get("customerAddress")).trim() !== "",
        show: (state) => goTo(state.step),
        resume,
        focus: focusStep,
      },
    });

  useEffect(() => {
    if (moves > 0) showErrors({});
    // Runs once per move.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [moves]);

  /** Photos belong to the request with this submission id, whichever arrives first. */
  const getPhotoTarget = (): PhotoTarget => ({
    header: "Upload-Token",
    value: getSubmissionId(ref.current!),
  });

  return (
    <>
      <form
        className="quote"
        action="/get-quote"
        {...formProps}
        // A click on what is already chosen is an answer too.
        onClickCapture={choose}
        onInput={(event) => {
          choose(event);
          formProps.onInput(event);
        }}
      >
        {/* Enter in a field presses the form's first button, so the first one has to continue. */}
        <button className="visually-hidden" tabIndex={-1} aria-hidden="true" name="intent" value="continue" />
        <input type="hidden" name="step" value={step} />
        <HiddenFields {...props} />
        <input id={TOUCHED} name={TOUCHED} hidden />
        <input type="hidden" name="consentWording" value={CONSENT_WORDING} />
        <Progress step={step} />
        {STEPS.map((Step, index) => (
          <fieldset key={QUOTE_STEPS[index]!.title} className="quote__step" hidden={index !== step}>
            <legend tabIndex={-1}>
              <span className="visually-hidden">
                Step {index + 1} of {STEPS.length}:{" "}
              </span>
              {QUOTE_STEPS[index]!.title}
            </legend>
            <Step values={props.values} errors={errors} maps={props.maps} suburbs={suburbs} />
            {index === LAST_STEP && <PhotoField file={props.photosFile} getTarget={getPhotoTarget} />}
          </fieldset>
        ))}
        <ChallengeBox challenge={props.challenge} />
        <div className="quote__foot" data-last={last || undefined}>
          {last && <ConsentLine />}
          <div className="quote__buttons">
            {step > 0 && (
              <button
                className="button button--quiet"
                name="intent"
                value="back"
                formNoValidate
                disabled={isSending}
                onClick={(event) => {
                  event.preventDefault();
                  showState({ ...BLANK_FORM, step: step - 1 });
                }}
              >
                Previous
              </button>
            )}
            <button
              className="button button--main"
              name="intent"
              value="continue"
              formNoValidate
              disabled={isSending}
            >
              <ChangingText>
                {last ? (isSending ? "Submitting..." : "Get My Quote") : "Continue"}
              </ChangingText>
              {!last && <FormIcon name="arrow" size={20} />}
            </button>
          </div>
        </div>
        <FailureToast failure={failure} />
      </form>
      <LeaveDialog form={ref} />
    </>
  );
}

/** Shows the progress as a partly mown strip of lawn. */
function Progress({ step }: { step: number }) {
  return (
    <div className="progress">
      <div
        className="progress__strip"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native progress bar cannot be mown
        role="progressbar"
        aria-label="Progress"
        aria-valuemin={1}
        aria-valuemax={STEPS.length}
        aria-valuenow={step + 1}
        aria-valuetext={`Step ${step + 1} of ${STEPS.length}`}
      >
        <div className="progress__mown" style={{ width: `${((step + 1) / STEPS.length) * 100}%` }} />
      </div>
      <ol aria-hidden="true">
        {QUOTE_STEPS.map(({ title }, index) => (
          <li key={title} data-current={index === step || undefined}>
            {title}
          </li>
        ))}
      </ol>
    </div>
  );
}
