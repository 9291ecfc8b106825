// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// The sandbox's own hand on a token, which no real one has: a certain transfer that every trial call passes, and
/// that reverts each time it is mined, as when a wallet is frozen between the two. What a transaction writes goes
/// when it reverts, so a trap cannot count: it tells how often it is meant to spring, and whoever watches the chain
/// releases it. Left alone it opens by itself, so that a wallet is not lost for good.
abstract contract Trap {
    uint256 private constant LIFE = 10 minutes;
    address private immutable setter = msg.sender;
    mapping(bytes32 => uint256) private trappedUntil;

    event Trapped(address indexed to, uint256 value, uint256 reverts);
    event Released(address indexed to, uint256 value);

    function trap(address to, uint256 value, uint256 reverts) external {
        require(msg.sender == setter, "Trap: caller is not the setter");
        trappedUntil[keyOf(to, value)] = block.timestamp + LIFE;
        emit Trapped(to, value, reverts);
    }

    function release(address to, uint256 value) external {
        require(msg.sender == setter, "Trap: caller is not the setter");
        delete trappedUntil[keyOf(to, value)];
        emit Released(to, value);
    }

    /// A trial call (eth_call) names no gas price and sees 0, while whatever is mined has paid at least the base fee.
    /// The slot is read either way, so that an estimate of gas, which is a trial call too, counts the read.
    function spring(address to, uint256 value) internal view {
        require(block.timestamp >= trappedUntil[keyOf(to, value)] || tx.gasprice == 0, "Trap: sprung");
    }

    function keyOf(address to, uint256 value) private pure returns (bytes32) {
        return keccak256(abi.encode(to, value));
    }
}
