// Two notes up for something to look at, three falling for something urgent. Browsers allow it after a click.
function chime(urgent) {
  const audio = (window.__vigilAudio ??= new AudioContext());
  audio.resume();
  const notes = urgent ? [880, 660, 880] : [587, 784];
  notes.forEach((pitch, at) => {
    const start = audio.currentTime + at * 0.18;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.15, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.3);
  });
}
