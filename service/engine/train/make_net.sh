#!/bin/sh
# Makes a net of the Diamond Game from nothing: rounds of self-play, each by the net of the round before, and fits.
#
#     sh service/engine/train/make_net.sh PLAYERS FOLDER
#
# Run from the repository's root. It keeps two cores busy. Ended and started again with the same folder it goes on where
# it was: rounds and fits that are there are not made again. A folder belongs to one state of the sources, and to one
# run at a time. The last net is FOLDER/net.c, to be put in the place of service/engine/diamond_weights_two.c or
# _three.c. README.md says what the numbers mean, what came of them and how long it takes.
set -eu

# A line a round: GAMES NODES NOISE of its self-play, DECAY of the fit that follows, and the first round whose games are
# fitted. With - in their place there is no fit, and the next round is played by the same net. Of the other numbers of a
# fit fit.c tells.
case $#-${1-} in
2-2)
    weights=two scale=1 epochs=5
    rounds="4000 300 60 0.98 1
        4000 400 60 0.98 1
        6000 500 60 0.98 2
        8000 800 60 0.95 3
        10000 1000 60 0.95 4
        10000 1000 60 0.95 5
        10000 1500 60 0.95 5
        5000 300 800 - -
        3000 300 1500 0.95 5
        10000 1500 60 0.95 7
        10000 1500 60 0.95 8
        10000 1500 60 0.95 8"
    ;;
2-3)
    weights=three scale=1 epochs=2
    rounds="4000 300 60 0.9 1
        6000 400 60 0.9 1
        8000 600 60 0.9 2
        8000 800 60 0.9 3
        8000 800 60 0.9 3"
    ;;
*)
    echo "make_net.sh PLAYERS FOLDER, for 2 or 3 players" >&2
    exit 2
    ;;
esac
players=$1 folder=$2 share=0.6 seed=7
rounds=${ROUNDS-$rounds} # a test has fewer and smaller ones
train=service/engine/train
flags="-std=c11 -O3 -march=native -fno-strict-aliasing -Wall -Wextra -Wno-stringop-overflow -Iservice/engine"

# Plays a round's games, each half by its own seed: the round's number and the half's.
play() {
    for half in 1 2; do
        file=$folder/games-$round-$half.bin
        [ -e "$file" ] && continue
        rm -f "$file.part"
        "$folder/selfplay" "$players" $((games / 2)) "$nodes" "$noise" "$round$half" "$file.part" &
        playing="$playing $!"
    done
    for one in $playing; do
        wait "$one"
    done
    playing=
    for half in 1 2; do
        file=$folder/games-$round-$half.bin
        [ -e "$file" ] || mv "$file.part" "$file"
    done
}

# Fits a net to the games of the rounds from `first` to this one.
fit() {
    set --
    for number in $(seq "$first" "$round"); do
        set -- "$@" "$folder/games-$number-1.bin" "$folder/games-$number-2.bin"
    done
    echo "round $round: fit $players $epochs $share $decay $scale $seed, games of the rounds from $first on" >&2
    "$folder/fit" "$players" "$epochs" "$share" "$decay" "$scale" "$seed" "$@" >"$net.part"
    mv "$net.part" "$net"
}

# Jobs in the background outlive a script that is ended, unless it ends them.
playing=
trap 'kill $playing 2>/dev/null || :' EXIT
trap 'exit 1' HUP INT TERM

sources=$(ls service/engine/*.c | grep -v -e /cli.c -e /module.c -e /diamond_weights_$weights.c)
mkdir -p "$folder"
made_by="$players $(cat $sources service/engine/*.h $train/*.[ch] | cksum)"
if [ -e "$folder/made_by" ] && [ "$(cat "$folder/made_by")" != "$made_by" ]; then
    echo "make_net.sh: $folder was begun with other sources or for other players" >&2
    exit 2
fi
echo "$made_by" >"$folder/made_by"
rm -rf "$folder/engine"
mkdir "$folder/engine"
for source in $sources $train/sample.c; do
    cc $flags -c -o "$folder/engine/$(basename "$source" .c).o" "$source"
done
net=$folder/net-0.c
sed 's/-*[0-9][0-9]*,/0,/g' service/engine/diamond_weights_$weights.c >"$net"
cc $flags -ffast-math -o "$folder/fit" $train/fit.c "$net" "$folder"/engine/*.o -lm
round=0
while read -r games nodes noise decay first; do
    round=$((round + 1))
    cc $flags -o "$folder/selfplay" $train/selfplay.c "$net" "$folder"/engine/*.o -lm
    play
    if [ "$decay" != - ]; then
        net=$folder/net-$round.c
        [ -e "$net" ] || fit
        cp "$net" "$folder/net.c"
    fi
done <<EOF
$rounds
EOF
